// The door of the room `sandbox`.
