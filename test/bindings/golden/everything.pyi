# everything: 13 tools, called as everything.name(...)
from typing import Any, Literal, TypedDict

class GetStructuredContentResult(TypedDict):
    temperature: float
    conditions: str
    humidity: float

def echo(message: str) -> Any: ...  # read-only: Echoes back the input string
def get_annotated_message(messageType: Literal["error", "success", "debug"], includeImage: bool = False) -> Any: ...  # read-only: Demonstrates how annotations can be used to provide metadata about content
def get_env() -> Any: ...  # read-only: Returns all environment variables, helpful for debugging MCP server configuration
def get_resource_links(count: float = 3) -> Any: ...  # read-only: Returns up to ten resource links that reference different types of resources
def get_resource_reference(resourceType: Literal["Text", "Blob"] = "Text", resourceId: float = 1) -> Any: ...  # read-only: Returns a resource reference that can be used by MCP clients
def get_structured_content(location: Literal["New York", "Chicago", "Los Angeles"]) -> GetStructuredContentResult: ...  # read-only: Returns structured content along with an output schema for client data validation
def get_sum(a: float, b: float) -> Any: ...  # read-only: Returns the sum of two numbers
def get_tiny_image() -> Any: ...  # read-only: Returns a tiny MCP logo image
def gzip_file_as_resource(name: str = "README.md.gz", data: str = ..., outputType: Literal["resourceLink", "resource"] = "resourceLink") -> Any: ...  # idempotent: Compresses a single file using gzip compression
def simulate_research_query(topic: str, ambiguous: bool = False) -> Any: ...  # Simulates a deep research operation that gathers, analyzes, and synthesizes information
def toggle_simulated_logging() -> Any: ...  # Toggles simulated, random-leveled logging on or off
def toggle_subscriber_updates() -> Any: ...  # Toggles simulated resource subscription updates on or off
def trigger_long_running_operation(duration: float = 10, steps: float = 5) -> Any: ...  # read-only: Demonstrates a long running operation with progress updates
