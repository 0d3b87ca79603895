"""Client of Limn, the web application for annotating images.

    from limn_client import Limn

    limn = Limn("http://localhost:5000", token="limn_...")
    for image in limn.dataset("Harbour").images():
        print(image.path, image.num_annotations)
"""

from .client import Limn
from .datasets import Dataset, ExportFormat
from .errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    LimnError,
    NotFoundError,
    ServerError,
    TaskFailedError,
    TooManyRequestsError,
    UnauthorizedError,
    UnreachableError,
)
from .images import Image
from .masks import decode_mask, encode_mask
from .tasks import Task
from .uploads import UploadedFile, UploadReport

__all__ = [
    "ConflictError",
    "Dataset",
    "ExportFormat",
    "ForbiddenError",
    "Image",
    "InvalidInputError",
    "Limn",
    "LimnError",
    "NotFoundError",
    "ServerError",
    "Task",
    "TaskFailedError",
    "TooManyRequestsError",
    "UnauthorizedError",
    "UnreachableError",
    "UploadReport",
    "UploadedFile",
    "decode_mask",
    "encode_mask",
]
