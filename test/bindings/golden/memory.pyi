# memory: 9 tools, called as memory.name(...)
from typing import TypedDict

class Observation(TypedDict):
    entityName: str
    contents: list[str]
class AddObservationsResult(TypedDict):
    results: list[Result]
class Result(TypedDict):
    entityName: str
    addedObservations: list[str]
class Entity(TypedDict):
    name: str
    entityType: str
    observations: list[str]
class CreateEntitiesResult(TypedDict):
    entities: list[Entity]
Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
class CreateRelationsResult(TypedDict):
    relations: list[Relation]
class DeleteEntitiesResult(TypedDict):
    success: bool
    message: str
class Deletion(TypedDict):
    entityName: str
    observations: list[str]
class OpenNodesResult(TypedDict):
    entities: list[Entity]
    relations: list[Relation]

def add_observations(observations: list[Observation]) -> AddObservationsResult: ...  # Add new observations to existing entities in the knowledge graph
def create_entities(entities: list[Entity]) -> CreateEntitiesResult: ...  # Create multiple new entities in the knowledge graph
def create_relations(relations: list[Relation]) -> CreateRelationsResult: ...  # Create multiple new relations between entities in the knowledge graph
def delete_entities(entityNames: list[str]) -> DeleteEntitiesResult: ...  # destructive, idempotent: Delete multiple entities and their associated relations from the knowledge graph
def delete_observations(deletions: list[Deletion]) -> DeleteEntitiesResult: ...  # destructive, idempotent: Delete specific observations from entities in the knowledge graph
def delete_relations(relations: list[Relation]) -> DeleteEntitiesResult: ...  # destructive, idempotent: Delete multiple relations from the knowledge graph
def open_nodes(names: list[str]) -> OpenNodesResult: ...  # read-only: Open specific nodes in the knowledge graph by their names
def read_graph() -> OpenNodesResult: ...  # read-only: Read the entire knowledge graph
def search_nodes(query: str) -> OpenNodesResult: ...  # read-only: Search for nodes in the knowledge graph based on a query
