# filesystem: 14 tools, called as filesystem.name(...)
from typing import Literal, NotRequired, TypedDict

class Result(TypedDict):
    content: str
class Edit(TypedDict):
    oldText: str
    newText: str
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

def create_directory(path: str) -> Result: ...  # idempotent: Create a new directory or ensure a directory exists
def directory_tree(path: str, excludePatterns: list[str] = []) -> Result: ...  # read-only: Get a recursive tree view of files and directories as a JSON structure
def edit_file(path: str, edits: list[Edit], dryRun: bool = False) -> Result: ...  # destructive: Make line-based edits to a text file
def get_file_info(path: str) -> Result: ...  # read-only: Retrieve detailed metadata about a file or directory
def list_allowed_directories() -> Result: ...  # read-only: Returns the list of directories that this server is allowed to access
def list_directory(path: str) -> Result: ...  # read-only: Get a detailed listing of all files and directories in a specified path
def list_directory_with_sizes(path: str, sortBy: Literal["name", "size"] = "name") -> Result: ...  # read-only: Get a detailed listing of all files and directories in a specified path, including sizes
def move_file(source: str, destination: str) -> Result: ...  # destructive: Move or rename files and directories
def read_file(path: str, tail: float = ..., head: float = ...) -> Result: ...  # read-only: Read the complete contents of a file as text
def read_media_file(path: str) -> ReadMediaFileResult: ...  # read-only: Read a file and return it as a base64-encoded content block with its MIME type
def read_multiple_files(paths: list[str]) -> Result: ...  # read-only: Read the contents of multiple files simultaneously
def read_text_file(path: str, tail: float = ..., head: float = ...) -> Result: ...  # read-only: Read the complete contents of a file from the file system as text
def search_files(path: str, pattern: str, excludePatterns: list[str] = []) -> Result: ...  # read-only: Recursively search for files and directories matching a pattern
def write_file(path: str, content: str) -> Result: ...  # destructive, idempotent: Create a new file or completely overwrite an existing file with new content
