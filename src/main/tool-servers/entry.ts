import { serveTools } from './serve'

// Ends even when something it waits for does not: whoever hung up wants it gone.
process.exit(await serveTools(process.argv.slice(2)))
