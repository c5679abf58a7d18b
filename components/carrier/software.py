"""What runs on the carrier's cluster, made in the order of this page.

Owns which thing waits for which: what keeps data before what writes it, who signs before who shows
a certificate. Nothing else: each thing is a component of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as kubernetes

from components.admission import Namespaces, NoUserWorkloads, NoUserWorkloadsArgs
from components.carrier import cert_manager, keycloak, longhorn, postgres, rancher, realm
from components.carrier.administrator import Administrator
from components.carrier.backup import Snapshots, SnapshotsArgs
from components.carrier.etcd import EtcdArgs, EtcdCluster
from components.carrier.karmada import KarmadaArgs, KarmadaControlPlane, Login
from components.carrier.monitoring import Monitoring, MonitoringArgs
from components.carrier.monitoring.grafana import GrafanaLogin
from components.carrier.names import MONITORING, NAMESPACE
from components.carrier.rancher import Reached
from components.catalogue import Installer
from components.cluster import Kubeconfig
from components.settings.carrier import Oidc
from components.settings.carrier import Software as SoftwareSettings
from components.settings.mirror import Mirror


@dataclass(frozen=True)
class SoftwareArgs:
    """What the software is made from.

    Attributes:
        spec: its settings.
        reached: how the cluster is reached.
        mirror: where charts and images come from, if not from their makers.
        keys: of the object store for backups; a secret. None without backups.
        rotate: the text whose change renews certificates and passwords.
    """

    spec: SoftwareSettings
    reached: Kubeconfig
    mirror: Mirror | None
    keys: pulumi.Output[Mapping[str, str]] | None
    rotate: str


class Software(pulumi.ComponentResource):
    """The federation's control plane on a cluster.

    Attributes:
        karmada: the kubeconfig of an administrator of the Karmada API; a secret.
        rancher: how Rancher is called; None without Rancher.
        ends: when each certificate that this program made ends, in RFC 3339, by its name.
    """

    karmada: pulumi.Output[str]
    rancher: Reached | None
    ends: dict[str, pulumi.Output[str]]

    def __init__(
        self, name: str, args: SoftwareArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = args.spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:carrier:Software", name, props, opts)
        self._name, self._args, self._spec = name, args, args.spec
        self._below = pulumi.ResourceOptions(parent=self)
        self._host = kubernetes.Provider(
            name,
            kubeconfig=args.reached.text,
            # Without it a new kubeconfig would replace the provider, and everything on it.
            cluster_identifier=name,
            enable_server_side_apply=True,
            # Else a renewed certificate would be away for a moment.
            enable_secret_mutable=True,
            enable_config_map_mutable=True,
            opts=self._below,
        )
        self._installer = Installer(self._host, args.mirror)
        NoUserWorkloads(
            f"{name}-admission",
            NoUserWorkloadsArgs(self._host, self._namespaces()),
            self._below,
        )
        self._volumes = self._longhorn()
        self._certificates = self._cert_manager()
        self._realm = self._people()
        self.rancher = self._rancher()
        store = self._etcd()
        control_plane = self._karmada(store)
        administrator = Administrator(
            f"{name}-administrator",
            args.spec.karmada.endpoint,
            control_plane.authority,
            args.rotate,
            self._below,
        )
        self.karmada = administrator.kubeconfig
        self.ends = {**store.ends, **control_plane.ends, "administrator": administrator.ends}
        self._monitoring(control_plane)
        self.register_outputs({"endpoint": args.spec.karmada.endpoint})

    def _namespaces(self) -> Namespaces:
        """Where pods may be: the plane's namespaces, and those that Rancher makes at run time."""
        found = {
            NAMESPACE: True,
            longhorn.NAMESPACE: self._spec.longhorn,
            cert_manager.NAMESPACE: self._spec.cert_manager,
            postgres.OPERATOR_NAMESPACE: self._spec.postgres,
            keycloak.NAMESPACE: self._spec.keycloak,
            rancher.NAMESPACE: self._spec.rancher,
            MONITORING: self._spec.monitoring,
        }
        names = (name for name, there in found.items() if there is not None)
        prefixes = rancher.RUN_TIME if self._spec.rancher is not None else ()
        return Namespaces((*names, *self._spec.namespaces), prefixes)

    def _longhorn(self) -> list[pulumi.Resource]:
        if self._spec.longhorn is None:
            return []
        args = longhorn.LonghornArgs(self._spec.longhorn, self._host, self._installer)
        return longhorn.Longhorn(f"{self._name}-longhorn", args, self._below).ready

    def _cert_manager(self) -> cert_manager.CertManager | None:
        if self._spec.cert_manager is None:
            return None
        args = cert_manager.CertManagerArgs(self._spec.cert_manager, self._host, self._installer)
        return cert_manager.CertManager(f"{self._name}-cert-manager", args, self._below)

    def _people(self) -> realm.Realm | None:
        """PostgreSQL, Keycloak on it, and the realm in it."""
        spec, signer = self._spec, self._certificates
        if spec.keycloak is None or spec.postgres is None or signer is None:
            return None
        namespace = self._namespace(keycloak.NAMESPACE)
        database = postgres.Postgres(
            f"{self._name}-postgres",
            postgres.PostgresArgs(
                spec.postgres,
                keycloak.NAMESPACE,
                self._database_class(spec.postgres.storage_class),
                self._copies(),
                [namespace, *self._volumes, *signer.ready],
                self._host,
                self._installer,
            ),
            self._below,
        )
        servers = keycloak.Keycloak(
            f"{self._name}-keycloak",
            keycloak.KeycloakArgs(
                spec.keycloak, namespace, database, signer, self._host, self._installer
            ),
            self._below,
        )
        drawn = spec.monitoring.grafana if spec.monitoring is not None else None
        return realm.Realm(
            f"{self._name}-realm",
            realm.RealmArgs(
                spec.keycloak,
                servers.password,
                signer.authority,
                spec.rancher.hostname if spec.rancher is not None else None,
                drawn.hostname if drawn is not None else None,
                self._args.rotate,
                servers.ready,
            ),
            self._below,
        )

    def _copies(self) -> postgres.Copies | None:
        if self._spec.backup is None or self._args.keys is None:
            return None
        return postgres.Copies(self._spec.backup, self._args.keys)

    def _rancher(self) -> Reached | None:
        spec, signer = self._spec, self._certificates
        if spec.rancher is None or spec.keycloak is None or signer is None or self._realm is None:
            return None
        made = rancher.Rancher(
            f"{self._name}-rancher",
            rancher.RancherArgs(
                spec.rancher, signer, self._args.rotate, self._host, self._installer
            ),
            self._below,
        )
        rancher.Login(
            f"{self._name}-rancher-login",
            rancher.LoginArgs(spec.keycloak, self._realm, made.reached),
            self._below,
        )
        return made.reached

    def _etcd(self) -> EtcdCluster:
        self._home = self._namespace(NAMESPACE)
        store = EtcdCluster(
            f"{self._name}-etcd",
            EtcdArgs(
                self._spec.etcd,
                self._database_class(self._spec.etcd.storage_class),
                self._installer.image("etcd"),
                self._home,
                self._volumes,
                self._host,
                self._args.rotate,
            ),
            self._below,
        )
        if self._spec.backup is not None and self._args.keys is not None:
            args = SnapshotsArgs(
                self._spec.backup, self._args.keys, self._installer.image, store, self._host
            )
            Snapshots(f"{self._name}-snapshots", args, self._below)
        return store

    def _karmada(self, store: EtcdCluster) -> KarmadaControlPlane:
        args = KarmadaArgs(
            self._spec.karmada,
            self._login(),
            self._installer,
            self._host,
            self._installer.image,
            self._home,
            store,
            self._args.rotate,
        )
        return KarmadaControlPlane(f"{self._name}-karmada", args, self._below)

    def _login(self) -> Login | None:
        """Who issues tokens for the Karmada API: whom the settings name, else the realm."""
        if self._spec.karmada.oidc is not None:
            return Login(self._spec.karmada.oidc, None)
        if self._realm is None or self._certificates is None:
            return None
        own = Oidc(issuer=self._realm.issuer, client=realm.KARMADA, groups_claim=realm.GROUPS_CLAIM)
        return Login(own, self._certificates.authority)

    def _monitoring(self, control_plane: KarmadaControlPlane) -> None:
        spec, endpoint = self._spec.monitoring, self._spec.karmada.endpoint
        if spec is None:
            return
        # The one place where the carrier itself calls the Karmada API.
        api = kubernetes.Provider(
            f"{self._name}-karmada-api",
            kubeconfig=self.karmada,
            cluster_identifier=f"{self._name}-karmada-api",
            enable_server_side_apply=True,
            opts=pulumi.ResourceOptions(parent=self, depends_on=[control_plane.ready]),
        )
        copied = longhorn.COPIED_BY_LONGHORN if self._spec.longhorn is not None else None
        Monitoring(
            f"{self._name}-monitoring",
            MonitoringArgs(
                spec,
                spec.storage_class or copied,
                control_plane,
                endpoint,
                api,
                self.ends,
                self._grafana_login(),
                self._certificates,
                self._installer,
                self._host,
                self._installer.image,
                self._args.rotate,
                self._volumes,
            ),
            self._below,
        )

    def _grafana_login(self) -> GrafanaLogin | None:
        drawn = self._spec.monitoring.grafana if self._spec.monitoring is not None else None
        keyed, signer = self._spec.keycloak, self._certificates
        if drawn is None or keyed is None or self._realm is None or signer is None:
            return None
        return GrafanaLogin(
            drawn,
            self._realm.issuer,
            self._realm.secrets[realm.GRAFANA],
            signer.authority,
            keyed.administrators,
        )

    def _database_class(self, named: str | None) -> str:
        """The class of a database's volumes: the settings see that there is one."""
        return named or longhorn.COPIED_BY_DATABASE

    def _namespace(self, name: str) -> pulumi.Resource:
        return kubernetes.core.v1.Namespace(
            f"{self._name}-{name}",
            metadata={"name": name},
            opts=pulumi.ResourceOptions(parent=self, provider=self._host),
        )
