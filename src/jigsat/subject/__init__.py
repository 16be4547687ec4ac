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
from jigsat.subject.transfer import Described, constraints_digest, describe_entries, describe_subject, restore_subject

__all__ = [
    "IMAGES",
    "Described",
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
    "constraints_digest",
    "describe_entries",
    "describe_subject",
    "formula_digest",
    "nearest",
    "restore_subject",
    "subject_of",
]
