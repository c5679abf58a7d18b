"""The storage plane: Ceph by Rook, which depends on no other plane, and its consumers' side."""
