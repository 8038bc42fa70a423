// Replaces the embedded database's worker: reports that it is ready, and exits at the first connection.
import { parentPort } from 'node:worker_threads'

parentPort.on('message', () => process.exit(3))
parentPort.postMessage({ kind: 'ready' })
