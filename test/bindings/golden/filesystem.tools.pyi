# servers/filesystem/create_directory.pyi
# filesystem.create_directory(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def create_directory(path: str) -> Result: ...  # idempotent: Create a new directory or ensure a directory exists

# servers/filesystem/directory_tree.pyi
# filesystem.directory_tree(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def directory_tree(path: str, excludePatterns: list[str] = []) -> Result: ...  # read-only: Get a recursive tree view of files and directories as a JSON structure

# servers/filesystem/edit_file.pyi
# filesystem.edit_file(...)
from typing import TypedDict

class Result(TypedDict):
    content: str
class Edit(TypedDict):
    oldText: str
    newText: str

def edit_file(path: str, edits: list[Edit], dryRun: bool = False) -> Result: ...  # destructive: Make line-based edits to a text file

# servers/filesystem/get_file_info.pyi
# filesystem.get_file_info(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def get_file_info(path: str) -> Result: ...  # read-only: Retrieve detailed metadata about a file or directory

# servers/filesystem/list_allowed_directories.pyi
# filesystem.list_allowed_directories(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def list_allowed_directories() -> Result: ...  # read-only: Returns the list of directories that this server is allowed to access

# servers/filesystem/list_directory.pyi
# filesystem.list_directory(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def list_directory(path: str) -> Result: ...  # read-only: Get a detailed listing of all files and directories in a specified path

# servers/filesystem/list_directory_with_sizes.pyi
# filesystem.list_directory_with_sizes(...)
from typing import Literal, TypedDict

class Result(TypedDict):
    content: str

def list_directory_with_sizes(path: str, sortBy: Literal["name", "size"] = "name") -> Result: ...  # read-only: Get a detailed listing of all files and directories in a specified path, including sizes

# servers/filesystem/move_file.pyi
# filesystem.move_file(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def move_file(source: str, destination: str) -> Result: ...  # destructive: Move or rename files and directories

# servers/filesystem/read_file.pyi
# filesystem.read_file(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def read_file(path: str, tail: float = ..., head: float = ...) -> Result: ...  # read-only: Read the complete contents of a file as text

# servers/filesystem/read_media_file.pyi
# filesystem.read_media_file(...)
from typing import Literal, NotRequired, TypedDict

class ReadMediaFileResult(TypedDict):
    content: list[Content | ResourceContent]
class Content(TypedDict):
    type: Literal["image", "audio"]
    data: str
    mimeType: str
class ResourceContent(TypedDict):
    type: Literal["resource"]
    resource: Resource
class Resource(TypedDict):
    uri: str
    mimeType: NotRequired[str]
    blob: str

def read_media_file(path: str) -> ReadMediaFileResult: ...  # read-only: Read a file and return it as a base64-encoded content block with its MIME type

# servers/filesystem/read_multiple_files.pyi
# filesystem.read_multiple_files(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def read_multiple_files(paths: list[str]) -> Result: ...  # read-only: Read the contents of multiple files simultaneously

# servers/filesystem/read_text_file.pyi
# filesystem.read_text_file(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def read_text_file(path: str, tail: float = ..., head: float = ...) -> Result: ...  # read-only: Read the complete contents of a file from the file system as text

# servers/filesystem/search_files.pyi
# filesystem.search_files(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def search_files(path: str, pattern: str, excludePatterns: list[str] = []) -> Result: ...  # read-only: Recursively search for files and directories matching a pattern

# servers/filesystem/write_file.pyi
# filesystem.write_file(...)
from typing import TypedDict

class Result(TypedDict):
    content: str

def write_file(path: str, content: str) -> Result: ...  # destructive, idempotent: Create a new file or completely overwrite an existing file with new content
