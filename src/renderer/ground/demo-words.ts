/** How long the demo takes on an ordinary machine; its own estimate stands beside it once it runs. */
export const DEMO_TIME = 'about a minute'
