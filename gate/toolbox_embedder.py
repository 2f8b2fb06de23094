"""Opens who turns texts into vectors: the embedder that ships with the gate, or a model server's."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.config import Embedding
    from gate.providers.base import Embedder
    from gate.providers.chain import Chain
    from gate.providers.local_embedder import LocalEmbedder


def open_embedder(chosen: Embedding, chain: Chain | None, closing: ExitStack) -> Embedder:
    """With a `chain`, a model's calls are recorded and bound by the limits of its run. Errors: SetupError."""
    if chosen.provider == "local":
        return shipped()
    from gate.providers.connect import connect_embedder

    model, address = chosen.model_id or "", chosen.base_url or ""
    remote = connect_embedder(chosen.provider, model, os.environ, address, chosen.dimension, chain)
    closing.callback(remote.provider.close)
    return remote


@cache
def shipped() -> LocalEmbedder:
    """The embedder that ships with the gate: its weights are loaded once a process. Errors: ModelFileError."""
    from gate.providers.local_embedder import LocalEmbedder

    return LocalEmbedder()
