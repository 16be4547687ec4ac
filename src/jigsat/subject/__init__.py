"""What can be asked about: the solutions of a puzzle or the models of a formula."""

from jigsat.subject.relations import change, nearest
from jigsat.subject.subject import (
    MAX_CHECKED_IMAGES,
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
    check_model,
    formula_digest,
    subject_of,
)
from jigsat.subject.transfer import Described, constraints_digest, describe_entries, describe_subject, restore_subject

__all__ = [
    "MAX_CHECKED_IMAGES",
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
    "check_model",
    "constraints_digest",
    "describe_entries",
    "describe_subject",
    "formula_digest",
    "nearest",
    "restore_subject",
    "subject_of",
]
