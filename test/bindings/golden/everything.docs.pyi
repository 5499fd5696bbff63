def echo(
    message: str,  # Message to echo
) -> Any:
    """
    Echoes back the input string
    """
# read-only, closed world
# example:
everything.echo(message="message")

def get_annotated_message(
    messageType: Literal["error", "success", "debug"],  # Type of message to demonstrate different annotation patterns
    includeImage: bool = False,  # Whether to include an example image
) -> Any:
    """
    Demonstrates how annotations can be used to provide metadata about content.
    """
# tool "get-annotated-message" of server "everything"
# read-only, closed world
# example:
everything.get_annotated_message(messageType="error")

def get_env() -> Any:
    """
    Returns all environment variables, helpful for debugging MCP server configuration
    """
# tool "get-env" of server "everything"
# read-only, closed world
# example:
everything.get_env()

def get_resource_links(
    count: float = 3,  # Number of resource links to return (1-10) (1..10)
) -> Any:
    """
    Returns up to ten resource links that reference different types of resources
    """
# tool "get-resource-links" of server "everything"
# read-only, closed world
# example:
everything.get_resource_links()

def get_resource_reference(
    resourceType: Literal["Text", "Blob"] = "Text",
    resourceId: float = 1,  # ID of the text resource to fetch
) -> Any:
    """
    Returns a resource reference that can be used by MCP clients
    """
# tool "get-resource-reference" of server "everything"
# read-only, closed world
# example:
everything.get_resource_reference()

class GetStructuredContentResult(TypedDict):
    temperature: float  # Temperature in celsius
    conditions: str  # Weather conditions description
    humidity: float  # Humidity percentage
def get_structured_content(
    location: Literal["New York", "Chicago", "Los Angeles"],  # Choose city
) -> GetStructuredContentResult:
    """
    Returns structured content along with an output schema for client data validation
    """
# tool "get-structured-content" of server "everything"
# read-only, closed world
# example:
everything.get_structured_content(location="New York")

def get_sum(
    a: float,  # First number
    b: float,  # Second number
) -> Any:
    """
    Returns the sum of two numbers
    """
# tool "get-sum" of server "everything"
# read-only, closed world
# example:
everything.get_sum(a=1, b=1)

def get_tiny_image() -> Any:
    """
    Returns a tiny MCP logo image.
    """
# tool "get-tiny-image" of server "everything"
# read-only, closed world
# example:
everything.get_tiny_image()

def gzip_file_as_resource(
    name: str = "README.md.gz",  # Name of the output file
    data: str = "https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md",  # URL or data URI of the file content to compress (format uri)
    outputType: Literal["resourceLink", "resource"] = "resourceLink",  # How the resulting gzipped file should be returned. 'resourceLink' returns a link to a resource that can be read later, 'resource' returns a full resource object.
) -> Any:
    """
    Compresses a single file using gzip compression. Depending upon the selected output type, returns either the compressed data as a gzipped resource or a resource link, allowing it to be downloaded in a subsequent request during the current session.
    """
# tool "gzip-file-as-resource" of server "everything"
# not read-only, not destructive, idempotent, open world
# example:
everything.gzip_file_as_resource()

def simulate_research_query(
    topic: str,  # The research topic to investigate
    ambiguous: bool = False,  # Simulate an ambiguous query that requires clarification (triggers input_required status)
) -> Any:
    """
    Simulates a deep research operation that gathers, analyzes, and synthesizes information. Demonstrates MCP task-based operations with progress through multiple stages. If 'ambiguous' is true and client supports elicitation, sends an elicitation request for clarification.
    """
# tool "simulate-research-query" of server "everything"
# not read-only, not destructive, not idempotent, closed world
# example:
everything.simulate_research_query(topic="topic")

def toggle_simulated_logging() -> Any:
    """
    Toggles simulated, random-leveled logging on or off.
    """
# tool "toggle-simulated-logging" of server "everything"
# not read-only, not destructive, not idempotent, closed world
# example:
everything.toggle_simulated_logging()

def toggle_subscriber_updates() -> Any:
    """
    Toggles simulated resource subscription updates on or off.
    """
# tool "toggle-subscriber-updates" of server "everything"
# not read-only, not destructive, not idempotent, closed world
# example:
everything.toggle_subscriber_updates()

def trigger_long_running_operation(
    duration: float = 10,  # Duration of the operation in seconds
    steps: float = 5,  # Number of steps in the operation
) -> Any:
    """
    Demonstrates a long running operation with progress updates.
    """
# tool "trigger-long-running-operation" of server "everything"
# read-only, closed world
# example:
everything.trigger_long_running_operation()
