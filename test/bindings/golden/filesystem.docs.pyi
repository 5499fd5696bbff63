class Result(TypedDict):
    content: str
def create_directory(
    path: str,
) -> Result:
    """
    Create a new directory or ensure a directory exists. Can create multiple nested directories in one operation. If the directory already exists, this operation will succeed silently. Perfect for setting up directory structures for projects or ensuring required paths exist. Only works within allowed directories.
    """
# not read-only, not destructive, idempotent, closed world
# example:
filesystem.create_directory(path="path/to/file")

class Result(TypedDict):
    content: str
def directory_tree(
    path: str,
    excludePatterns: list[str] = [],
) -> Result:
    """
    Get a recursive tree view of files and directories as a JSON structure. Each entry includes 'name', 'type' (file/directory), and 'children' for directories. Files have no children array, while directories always have a children array (which may be empty). The output is formatted with 2-space indentation for readability. Only works within allowed directories.
    """
# read-only, closed world
# example:
filesystem.directory_tree(path="path/to/file")

class Edit(TypedDict):
    oldText: str  # Text to search for - must match exactly
    newText: str  # Text to replace with
class Result(TypedDict):
    content: str
def edit_file(
    path: str,
    edits: list[Edit],
    dryRun: bool = False,  # Preview changes using git-style diff format
) -> Result:
    """
    Make line-based edits to a text file. Each edit replaces exact line sequences with new content. Returns a git-style diff showing the changes made. Only works within allowed directories.
    """
# not read-only, destructive, not idempotent, closed world
# example:
filesystem.edit_file(path="path/to/file", edits=[{"oldText": "oldText", "newText": "newText"}])

class Result(TypedDict):
    content: str
def get_file_info(
    path: str,
) -> Result:
    """
    Retrieve detailed metadata about a file or directory. Returns comprehensive information including size, creation time, last modified time, permissions, and type. This tool is perfect for understanding file characteristics without reading the actual content. Only works within allowed directories.
    """
# read-only, closed world
# example:
filesystem.get_file_info(path="path/to/file")

class Result(TypedDict):
    content: str
def list_allowed_directories() -> Result:
    """
    Returns the list of directories that this server is allowed to access. Subdirectories within these allowed directories are also accessible. Use this to understand which directories and their nested paths are available before trying to access files.
    """
# read-only, closed world
# example:
filesystem.list_allowed_directories()

class Result(TypedDict):
    content: str
def list_directory(
    path: str,
) -> Result:
    """
    Get a detailed listing of all files and directories in a specified path. Results clearly distinguish between files and directories with [FILE] and [DIR] prefixes. This tool is essential for understanding directory structure and finding specific files within a directory. Only works within allowed directories.
    """
# read-only, closed world
# example:
filesystem.list_directory(path="path/to/file")

class Result(TypedDict):
    content: str
def list_directory_with_sizes(
    path: str,
    sortBy: Literal["name", "size"] = "name",  # Sort entries by name or size
) -> Result:
    """
    Get a detailed listing of all files and directories in a specified path, including sizes. Results clearly distinguish between files and directories with [FILE] and [DIR] prefixes. This tool is useful for understanding directory structure and finding specific files within a directory. Only works within allowed directories.
    """
# read-only, closed world
# example:
filesystem.list_directory_with_sizes(path="path/to/file")

class Result(TypedDict):
    content: str
def move_file(
    source: str,
    destination: str,
) -> Result:
    """
    Move or rename files and directories. Can move files between directories and rename them in a single operation. If the destination exists, the operation will fail. Works across different directories and can be used for simple renaming within the same directory. Both source and destination must be within allowed directories.
    """
# not read-only, destructive, not idempotent, closed world
# example:
filesystem.move_file(source="source", destination="destination")

class Result(TypedDict):
    content: str
def read_file(
    path: str,
    tail: float = ...,  # If provided, returns only the last N lines of the file
    head: float = ...,  # If provided, returns only the first N lines of the file
) -> Result:
    """
    Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead.
    """
# read-only, closed world
# example:
filesystem.read_file(path="path/to/file")

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
def read_media_file(
    path: str,
) -> ReadMediaFileResult:
    """
    Read a file and return it as a base64-encoded content block with its MIME type. Image and audio files are returned as image/audio content; any other file type is returned as an embedded resource. Only works within allowed directories.
    """
# read-only, closed world
# example:
filesystem.read_media_file(path="path/to/file")

class Result(TypedDict):
    content: str
def read_multiple_files(
    paths: list[str],  # Array of file paths to read. Each path must be a string pointing to a valid file within allowed directories. (at least 1 items)
) -> Result:
    """
    Read the contents of multiple files simultaneously. This is more efficient than reading files one by one when you need to analyze or compare multiple files. Each file's content is returned with its path as a reference. Failed reads for individual files won't stop the entire operation. Only works within allowed directories.
    """
# read-only, closed world
# example:
filesystem.read_multiple_files(paths=["path/to/file"])

class Result(TypedDict):
    content: str
def read_text_file(
    path: str,
    tail: float = ...,  # If provided, returns only the last N lines of the file
    head: float = ...,  # If provided, returns only the first N lines of the file
) -> Result:
    """
    Read the complete contents of a file from the file system as text. Handles various text encodings and provides detailed error messages if the file cannot be read. Use this tool when you need to examine the contents of a single file. Use the 'head' parameter to read only the first N lines of a file, or the 'tail' parameter to read only the last N lines of a file. Operates on the file as text regardless of extension. Only works within allowed directories.
    """
# read-only, closed world
# example:
filesystem.read_text_file(path="path/to/file")

class Result(TypedDict):
    content: str
def search_files(
    path: str,
    pattern: str,
    excludePatterns: list[str] = [],
) -> Result:
    """
    Recursively search for files and directories matching a pattern. The patterns should be glob-style patterns that match paths relative to the working directory. Use pattern like '*.ext' to match files in current directory, and '** /*.ext' to match files in all subdirectories. Returns full paths to all matching items. Great for finding files when you don't know their exact location. Only searches within allowed directories.
    """
# read-only, closed world
# example:
filesystem.search_files(path="path/to/file", pattern="pattern")

class Result(TypedDict):
    content: str
def write_file(
    path: str,
    content: str,
) -> Result:
    """
    Create a new file or completely overwrite an existing file with new content. Use with caution as it will overwrite existing files without warning. Handles text content with proper encoding. Only works within allowed directories.
    """
# not read-only, destructive, idempotent, closed world
# example:
filesystem.write_file(path="path/to/file", content="content")
