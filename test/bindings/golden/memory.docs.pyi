class Observation(TypedDict):
    entityName: str  # The name of the entity to add the observations to
    contents: list[str]  # An array of observation contents to add
class AddObservationsResult(TypedDict):
    results: list[Result]
class Result(TypedDict):
    entityName: str
    addedObservations: list[str]
def add_observations(
    observations: list[Observation],
) -> AddObservationsResult:
    """
    Add new observations to existing entities in the knowledge graph
    """
# not read-only, not destructive, not idempotent, closed world
# example:
memory.add_observations(observations=[{"entityName": "entityName", "contents": ["content"]}])

class Entity(TypedDict):
    name: str  # The name of the entity
    entityType: str  # The type of the entity
    observations: list[str]  # An array of observation contents associated with the entity
class CreateEntitiesResult(TypedDict):
    entities: list[Entity]
def create_entities(
    entities: list[Entity],
) -> CreateEntitiesResult:
    """
    Create multiple new entities in the knowledge graph
    """
# not read-only, not destructive, not idempotent, closed world
# example:
memory.create_entities(entities=[{"name": "name", "entityType": "entityType", "observations": ["observation"]}])

Relation = TypedDict("Relation", {
    "from": str,  # The name of the entity where the relation starts
    "to": str,  # The name of the entity where the relation ends
    "relationType": str,  # The type of the relation
})
class CreateRelationsResult(TypedDict):
    relations: list[Relation]
def create_relations(
    relations: list[Relation],
) -> CreateRelationsResult:
    """
    Create multiple new relations between entities in the knowledge graph. Relations should be in active voice
    """
# not read-only, not destructive, not idempotent, closed world
# example:
memory.create_relations(relations=[{"from": "from", "to": "to", "relationType": "relationType"}])

class DeleteEntitiesResult(TypedDict):
    success: bool
    message: str
def delete_entities(
    entityNames: list[str],  # An array of entity names to delete
) -> DeleteEntitiesResult:
    """
    Delete multiple entities and their associated relations from the knowledge graph
    """
# not read-only, destructive, idempotent, closed world
# example:
memory.delete_entities(entityNames=["entityName"])

class Deletion(TypedDict):
    entityName: str  # The name of the entity containing the observations
    observations: list[str]  # An array of observations to delete
class DeleteEntitiesResult(TypedDict):
    success: bool
    message: str
def delete_observations(
    deletions: list[Deletion],
) -> DeleteEntitiesResult:
    """
    Delete specific observations from entities in the knowledge graph
    """
# not read-only, destructive, idempotent, closed world
# example:
memory.delete_observations(deletions=[{"entityName": "entityName", "observations": ["observation"]}])

Relation = TypedDict("Relation", {
    "from": str,  # The name of the entity where the relation starts
    "to": str,  # The name of the entity where the relation ends
    "relationType": str,  # The type of the relation
})
class DeleteEntitiesResult(TypedDict):
    success: bool
    message: str
def delete_relations(
    relations: list[Relation],  # An array of relations to delete
) -> DeleteEntitiesResult:
    """
    Delete multiple relations from the knowledge graph
    """
# not read-only, destructive, idempotent, closed world
# example:
memory.delete_relations(relations=[{"from": "from", "to": "to", "relationType": "relationType"}])

class OpenNodesResult(TypedDict):
    entities: list[Entity]
    relations: list[Relation]
class Entity(TypedDict):
    name: str  # The name of the entity
    entityType: str  # The type of the entity
    observations: list[str]  # An array of observation contents associated with the entity
Relation = TypedDict("Relation", {
    "from": str,  # The name of the entity where the relation starts
    "to": str,  # The name of the entity where the relation ends
    "relationType": str,  # The type of the relation
})
def open_nodes(
    names: list[str],  # An array of entity names to retrieve
) -> OpenNodesResult:
    """
    Open specific nodes in the knowledge graph by their names
    """
# read-only, closed world
# example:
memory.open_nodes(names=["name"])

class OpenNodesResult(TypedDict):
    entities: list[Entity]
    relations: list[Relation]
class Entity(TypedDict):
    name: str  # The name of the entity
    entityType: str  # The type of the entity
    observations: list[str]  # An array of observation contents associated with the entity
Relation = TypedDict("Relation", {
    "from": str,  # The name of the entity where the relation starts
    "to": str,  # The name of the entity where the relation ends
    "relationType": str,  # The type of the relation
})
def read_graph() -> OpenNodesResult:
    """
    Read the entire knowledge graph
    """
# read-only, closed world
# example:
memory.read_graph()

class OpenNodesResult(TypedDict):
    entities: list[Entity]
    relations: list[Relation]
class Entity(TypedDict):
    name: str  # The name of the entity
    entityType: str  # The type of the entity
    observations: list[str]  # An array of observation contents associated with the entity
Relation = TypedDict("Relation", {
    "from": str,  # The name of the entity where the relation starts
    "to": str,  # The name of the entity where the relation ends
    "relationType": str,  # The type of the relation
})
def search_nodes(
    query: str,  # The search query to match against entity names, types, and observation content
) -> OpenNodesResult:
    """
    Search for nodes in the knowledge graph based on a query
    """
# read-only, closed world
# example:
memory.search_nodes(query="query")
