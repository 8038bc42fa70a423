// Starts the TypeScript worker from source (`npm run dev`, tests); the built venue starts its compiled worker directly.
import { register } from 'tsx/esm/api'

register()
await import('./embeddedWorker.ts')
