# servers/memory/add_observations.pyi
# memory.add_observations(...)
from typing import TypedDict

class Observation(TypedDict):
    entityName: str
    contents: list[str]
class AddObservationsResult(TypedDict):
    results: list[Result]
class Result(TypedDict):
    entityName: str
    addedObservations: list[str]

def add_observations(observations: list[Observation]) -> AddObservationsResult: ...  # Add new observations to existing entities in the knowledge graph

# servers/memory/create_entities.pyi
# memory.create_entities(...)
from typing import TypedDict

class Entity(TypedDict):
    name: str
    entityType: str
    observations: list[str]
class CreateEntitiesResult(TypedDict):
    entities: list[Entity]

def create_entities(entities: list[Entity]) -> CreateEntitiesResult: ...  # Create multiple new entities in the knowledge graph

# servers/memory/create_relations.pyi
# memory.create_relations(...)
from typing import TypedDict

Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
class CreateRelationsResult(TypedDict):
    relations: list[Relation]

def create_relations(relations: list[Relation]) -> CreateRelationsResult: ...  # Create multiple new relations between entities in the knowledge graph

# servers/memory/delete_entities.pyi
# memory.delete_entities(...)
from typing import TypedDict

class DeleteEntitiesResult(TypedDict):
    success: bool
    message: str

def delete_entities(entityNames: list[str]) -> DeleteEntitiesResult: ...  # destructive, idempotent: Delete multiple entities and their associated relations from the knowledge graph

# servers/memory/delete_observations.pyi
# memory.delete_observations(...)
from typing import TypedDict

class DeleteEntitiesResult(TypedDict):
    success: bool
    message: str
class Deletion(TypedDict):
    entityName: str
    observations: list[str]

def delete_observations(deletions: list[Deletion]) -> DeleteEntitiesResult: ...  # destructive, idempotent: Delete specific observations from entities in the knowledge graph

# servers/memory/delete_relations.pyi
# memory.delete_relations(...)
from typing import TypedDict

Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
class DeleteEntitiesResult(TypedDict):
    success: bool
    message: str

def delete_relations(relations: list[Relation]) -> DeleteEntitiesResult: ...  # destructive, idempotent: Delete multiple relations from the knowledge graph

# servers/memory/open_nodes.pyi
# memory.open_nodes(...)
from typing import TypedDict

class Entity(TypedDict):
    name: str
    entityType: str
    observations: list[str]
Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
class OpenNodesResult(TypedDict):
    entities: list[Entity]
    relations: list[Relation]

def open_nodes(names: list[str]) -> OpenNodesResult: ...  # read-only: Open specific nodes in the knowledge graph by their names

# servers/memory/read_graph.pyi
# memory.read_graph(...)
from typing import TypedDict

class Entity(TypedDict):
    name: str
    entityType: str
    observations: list[str]
Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
class OpenNodesResult(TypedDict):
    entities: list[Entity]
    relations: list[Relation]

def read_graph() -> OpenNodesResult: ...  # read-only: Read the entire knowledge graph

# servers/memory/search_nodes.pyi
# memory.search_nodes(...)
from typing import TypedDict

class Entity(TypedDict):
    name: str
    entityType: str
    observations: list[str]
Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
class OpenNodesResult(TypedDict):
    entities: list[Entity]
    relations: list[Relation]

def search_nodes(query: str) -> OpenNodesResult: ...  # read-only: Search for nodes in the knowledge graph based on a query
