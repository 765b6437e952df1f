/** The page asks for a port with this message to its own window. */
export const PORT_REQUEST = 'loam:port-request'

/** The preload script answers the page with this message, and one port. */
export const PORT_OFFER = 'loam:port-offer'

/** The IPC channel on which the preload script hands the main process the port's other end. */
export const PORT_CHANNEL = 'loam:port'
