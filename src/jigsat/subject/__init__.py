"""What can be asked about: the solutions of a puzzle or the models of a formula."""

from jigsat.subject.relations import Relation, change, nearest
from jigsat.subject.subject import (
    IMAGES,
    RELATED,
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
    lines_digest,
    subject_of,
)
from jigsat.subject.transfer import described, digest_of, restored

__all__ = [
    "IMAGES",
    "RELATED",
    "Earlier",
    "EncodedSubject",
    "FormulaSubject",
    "Instance",
    "Problem",
    "PuzzleSubject",
    "Relation",
    "Source",
    "Stated",
    "Subject",
    "Symmetries",
    "change",
    "checked",
    "described",
    "digest_of",
    "formula_digest",
    "lines_digest",
    "nearest",
    "restored",
    "subject_of",
]
