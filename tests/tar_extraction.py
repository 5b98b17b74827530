"""Archives of our own, laid out in a folder."""

import tarfile
from pathlib import Path


def extract(tar: tarfile.TarFile, folder: Path) -> None:
    """Write what lies in an archive into a folder; Python before 3.11.4 knows no filter of what may lie there."""
    tar.extraction_filter = getattr(tarfile, "data_filter", None)
    tar.extractall(folder)
