// The Kubernetes provider of Pulumi, served from its module.
//
// The module's own command embeds two files that its release process writes and that the module
// lacks. What they are written from is there, in cmd/pulumi-resource-kubernetes: lab/tools lays
// those two files over this folder at build time (go build -overlay), so that this repository
// carries no copy of them.
package main

import (
	_ "embed"

	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"
	"github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version"
)

//go:embed schema.json
var schema []byte

//go:embed terraform-mapping.json
var mapping []byte

func main() {
	provider.Serve("kubernetes", version.Version, schema, mapping)
}
