"""Problems whose optimum is published, solved by the engine as federations."""
