"""Names that the storage plane and its consumers agree on."""

NAMESPACE = "rook-ceph"
"""Of Rook's operator, and on the plane of the cluster itself; the names of the CSI drivers begin
with it."""

EXTERNAL = "rook-ceph-external"
"""Of what a consumer knows of the plane."""

TAINT = "federation/storage"
"""On the plane's nodes: what does not tolerate it stays away. Also their label."""

RBD = f"{NAMESPACE}.rbd.csi.ceph.com"
CEPHFS = f"{NAMESPACE}.cephfs.csi.ceph.com"

TOLERATIONS = ({"key": TAINT, "operator": "Exists", "effect": "NoSchedule"},)


def metadata_pool(name: str) -> str:
    """The pool with the headers of the images of an erasure-coded pool."""
    return f"{name}-metadata"


def bucket_class(pool: str) -> str:
    """The StorageClass of buckets in *pool*."""
    return f"{pool}-bucket"
