// Stands in for the embedded database's thread: says it is ready, and dies at the first connection.
import { parentPort } from 'node:worker_threads'

parentPort.on('message', () => process.exit(3))
parentPort.postMessage({ kind: 'ready' })
