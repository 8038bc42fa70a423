// Sends many requests at once from one address, each on its own connection, and reads no response. Runs in a separate
// thread, so that its work does not delay what the bench measures.
import { once } from 'node:events'
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { port, path, calls } = workerData
const text = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`

async function openConnection() {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  await once(socket, 'connect')
  return socket
}

async function callAtOnce() {
  const sockets = await Promise.all(Array.from({ length: calls }, openConnection))
  parentPort.postMessage('connected')
  for (const socket of sockets) socket.write(text)
  await new Promise((later) => setTimeout(later, 2000))
  for (const socket of sockets) socket.destroy()
  parentPort.postMessage('done')
}

parentPort.on('message', () => void callAtOnce())
