/** The page asks for a port with this message to its own window. */
export const PORT_REQUEST = 'loam:port-request'

/** The preload script answers the page with this message, and one port. */
export const PORT_OFFER = 'loam:port-offer'

/** The preload script tells the page with this, and `paths`, where files lie that were dropped on it. */
export const PATHS_DROPPED = 'loam:paths-dropped'

/** The IPC channel on which the preload script hands the main process the port's other end. */
export const PORT_CHANNEL = 'loam:port'
