"""What can be asked about: the solutions of a puzzle or the models of a formula."""

from jigsat.subject.relations import change, nearest
from jigsat.subject.subject import (
    IMAGES,
    Earlier,
    EncodedSubject,
    FormulaSubject,
    Instance,
    Problem,
    PuzzleSubject,
    Source,
    Stated,
    Subject,
    Symmetries,
    checked,
    formula_digest,
    subject_of,
)
from jigsat.subject.transfer import described, digest_of, keep_ready, ready, restored, taken

__all__ = [
    "IMAGES",
    "Earlier",
    "EncodedSubject",
    "FormulaSubject",
    "Instance",
    "Problem",
    "PuzzleSubject",
    "Source",
    "Stated",
    "Subject",
    "Symmetries",
    "change",
    "checked",
    "described",
    "digest_of",
    "formula_digest",
    "keep_ready",
    "nearest",
    "ready",
    "restored",
    "subject_of",
    "taken",
]
