# servers/everything/echo.pyi
# everything.echo(...)
from typing import Any

def echo(message: str) -> Any: ...  # read-only: Echoes back the input string

# servers/everything/get_annotated_message.pyi
# everything.get_annotated_message(...)
from typing import Any, Literal

def get_annotated_message(messageType: Literal["error", "success", "debug"], includeImage: bool = False) -> Any: ...  # read-only: Demonstrates how annotations can be used to provide metadata about content

# servers/everything/get_env.pyi
# everything.get_env(...)
from typing import Any

def get_env() -> Any: ...  # read-only: Returns all environment variables, helpful for debugging MCP server configuration

# servers/everything/get_resource_links.pyi
# everything.get_resource_links(...)
from typing import Any

def get_resource_links(count: float = 3) -> Any: ...  # read-only: Returns up to ten resource links that reference different types of resources

# servers/everything/get_resource_reference.pyi
# everything.get_resource_reference(...)
from typing import Any, Literal

def get_resource_reference(resourceType: Literal["Text", "Blob"] = "Text", resourceId: float = 1) -> Any: ...  # read-only: Returns a resource reference that can be used by MCP clients

# servers/everything/get_structured_content.pyi
# everything.get_structured_content(...)
from typing import Literal, TypedDict

class GetStructuredContentResult(TypedDict):
    temperature: float
    conditions: str
    humidity: float

def get_structured_content(location: Literal["New York", "Chicago", "Los Angeles"]) -> GetStructuredContentResult: ...  # read-only: Returns structured content along with an output schema for client data validation

# servers/everything/get_sum.pyi
# everything.get_sum(...)
from typing import Any

def get_sum(a: float, b: float) -> Any: ...  # read-only: Returns the sum of two numbers

# servers/everything/get_tiny_image.pyi
# everything.get_tiny_image(...)
from typing import Any

def get_tiny_image() -> Any: ...  # read-only: Returns a tiny MCP logo image

# servers/everything/gzip_file_as_resource.pyi
# everything.gzip_file_as_resource(...)
from typing import Any, Literal

def gzip_file_as_resource(name: str = "README.md.gz", data: str = ..., outputType: Literal["resourceLink", "resource"] = "resourceLink") -> Any: ...  # idempotent: Compresses a single file using gzip compression

# servers/everything/simulate_research_query.pyi
# everything.simulate_research_query(...)
from typing import Any

def simulate_research_query(topic: str, ambiguous: bool = False) -> Any: ...  # Simulates a deep research operation that gathers, analyzes, and synthesizes information

# servers/everything/toggle_simulated_logging.pyi
# everything.toggle_simulated_logging(...)
from typing import Any

def toggle_simulated_logging() -> Any: ...  # Toggles simulated, random-leveled logging on or off

# servers/everything/toggle_subscriber_updates.pyi
# everything.toggle_subscriber_updates(...)
from typing import Any

def toggle_subscriber_updates() -> Any: ...  # Toggles simulated resource subscription updates on or off

# servers/everything/trigger_long_running_operation.pyi
# everything.trigger_long_running_operation(...)
from typing import Any

def trigger_long_running_operation(duration: float = 10, steps: float = 5) -> Any: ...  # read-only: Demonstrates a long running operation with progress updates
