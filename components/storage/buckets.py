"""Buckets and S3 users as code.

Owns what the objects say. A bucket's policy names every user that may use it; a user that only
reads is also held by its ``opMask``, which no policy can widen.

Source: Rook 1.20, "Bucket Claim" and "CephObjectStoreUser CRD"; Ceph, "Bucket Policies".
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from components.settings.storage import Bucket, Consumer, StorageSettings
from components.storage.names import NAMESPACE, bucket_class

_READ = ("s3:GetObject", "s3:ListBucket", "s3:GetBucketLocation")
_WRITE = (
    "s3:PutObject",
    "s3:DeleteObject",
    "s3:AbortMultipartUpload",
    "s3:ListMultipartUploadParts",
    "s3:ListBucketMultipartUploads",
)


@dataclass(frozen=True)
class User:
    """An S3 user of a consumer.

    Attributes:
        name: its id.
        pool: the object store.
        writes: whether it may write at all.
    """

    name: str
    pool: str
    writes: bool

    def manifest(self) -> dict[str, Any]:
        """Its ``CephObjectStoreUser``."""
        return {
            "apiVersion": "ceph.rook.io/v1",
            "kind": "CephObjectStoreUser",
            "metadata": {"name": self.name, "namespace": NAMESPACE},
            "spec": {
                "store": self.pool,
                "displayName": self.name,
                "opMask": ["read", "write", "delete"] if self.writes else ["read"],
            },
        }

    @property
    def secret(self) -> str:
        """The Secret that Rook writes, with ``AccessKey`` and ``SecretKey``."""
        return f"rook-ceph-object-user-{self.pool}-{self.name}"


def user(spec: StorageSettings, consumer: Consumer, pool: str, key: int) -> User:
    """The user of *consumer* in *pool*, by the number of its key."""
    homes = {bucket.name: bucket.pool for bucket in spec.buckets}
    writes = any(used.access == "write" and homes[used.name] == pool for used in consumer.buckets)
    return User(f"{consumer.name}-{key}", pool, writes)


def stores(spec: StorageSettings, consumer: Consumer) -> list[str]:
    """The object stores that *consumer* uses."""
    homes = {bucket.name: bucket.pool for bucket in spec.buckets}
    return sorted({homes[used.name] for used in consumer.buckets})


def users(spec: StorageSettings, consumer: Consumer) -> Iterator[User]:
    """Every S3 user of *consumer*, for each of its keys."""
    for key in consumer.keys:
        for pool in stores(spec, consumer):
            yield user(spec, consumer, pool, key)


def storage_class(pool: str) -> dict[str, Any]:
    """The class of buckets in *pool*; a bucket outlives its claim."""
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": bucket_class(pool)},
        "provisioner": f"{NAMESPACE}.ceph.rook.io/bucket",
        "parameters": {"objectStoreName": pool, "objectStoreNamespace": NAMESPACE},
        "reclaimPolicy": "Retain",
    }


def claim(spec: StorageSettings, bucket: Bucket) -> dict[str, Any]:
    """The claim of *bucket*."""
    statements = list(_statements(spec, bucket))
    policy = {"Version": "2012-10-17", "Statement": statements}
    config = {"bucketPolicy": json.dumps(policy, sort_keys=True)} if statements else {}
    return {
        "apiVersion": "objectbucket.io/v1alpha1",
        "kind": "ObjectBucketClaim",
        "metadata": {"name": bucket.name, "namespace": NAMESPACE},
        "spec": {
            "bucketName": bucket.name,
            "storageClassName": bucket_class(bucket.pool),
            "additionalConfig": config,
        },
    }


def _statements(spec: StorageSettings, bucket: Bucket) -> Iterator[dict[str, Any]]:
    for consumer in spec.consumers:
        for used in consumer.buckets:
            if used.name != bucket.name:
                continue
            names = [user(spec, consumer, bucket.pool, key).name for key in consumer.keys]
            yield {
                "Sid": consumer.name,
                "Effect": "Allow",
                "Principal": {"AWS": [f"arn:aws:iam:::user/{name}" for name in names]},
                "Action": [*_READ, *(_WRITE if used.access == "write" else ())],
                "Resource": [f"arn:aws:s3:::{bucket.name}", f"arn:aws:s3:::{bucket.name}/*"],
            }
