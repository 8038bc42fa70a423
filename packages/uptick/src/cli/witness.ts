import { hash, randomBytes, sign } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { cosignedMessage, packCosignature, parseCheckpoint } from '../../../../contract/tlog/checkpoint.ts'
import {
  formatNote,
  formatVerifierKey,
  keyId,
  parseNote,
  type NoteSignature,
  type VerifierKey,
} from '../../../../contract/tlog/note.ts'
import { decideAddCheckpoint, type WitnessAnswer } from '../../../../contract/tlog/witness.ts'
import { keyPairOf } from '../../../../server/market/package.ts'
import { UsageError, exitCodes, type Command } from './command.ts'
import { bodyOf, listenAt, portOf } from './httpServer.ts'
import { logKeyOf } from './logFiles.ts'
import { ended } from './untilEnd.ts'

export const witness: Command = {
  name: 'witness',
  usage: 'DIR --name NAME --log KEY [--log KEY …] [--port 8100] [--host 127.0.0.1]',
  help: `Cosigns the public logs with these keys (C2SP tlog-witness): each checkpoint that continues what it has cosigned before, and
no other. DIR has its secret key, made at the first start, and the newest checkpoint of each log, also served under
/<SHA-256 of the origin>/checkpoint. Its verifier key is printed: give it to the venue with the address, for logWitnesses.
Runs until Ctrl-C.`,
  run: async (args, context) => {
    const { print, note } = context
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        log: { type: 'string', multiple: true },
        port: { type: 'string', default: '8100' },
        host: { type: 'string', default: '127.0.0.1' },
      },
    })
    const [dir] = positionals
    const { name, log: logs = [] } = values
    if (dir === undefined || positionals.length > 1 || name === undefined || logs.length === 0)
      throw new UsageError('a folder, a name and the key of a log are needed')
    if (/[\s+]/.test(name)) throw new UsageError(`${name} has a space or a plus`)
    const port = portOf(values.port)
    const opened = openWitness(dir, name, logs.map(logKeyOf))
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { status, text, type } = await opened.answer(request).catch((error: unknown): Reply => {
        note(String(error))
        return { status: 500, text: '', type: plain }
      })
      if (status !== 200) note(`${request.method} ${request.url}: ${status}`)
      response.writeHead(status, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }).end(text)
    }
    const server = createServer((request, response) => void respond(request, response))
    const url = await listenAt(server, port, values.host)
    const { signal } = context
    print(opened.verifierKey)
    print(url)
    await ended(signal)
    server.closeAllConnections()
    server.close()
    return exitCodes.done
  },
}

type Reply = { status: number; text: string; type: string }
const plain = 'text/plain; charset=utf-8'
const originHash = (origin: string): string => hash('sha256', origin)

function openWitness(dir: string, name: string, keys: readonly VerifierKey[]) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const { secret, publicKey } = keyPairOf(readSeed(join(dir, 'witness.key')))
  const cosign = async (text: string): Promise<NoteSignature> => {
    const seconds = Math.floor(Date.now() / 1000)
    const bytes = packCosignature(seconds, sign(null, cosignedMessage(text, seconds), secret))
    return { name, id: keyId(name, 'cosignature', publicKey), bytes }
  }
  const pathOf = (origin: string): string => join(dir, `${originHash(origin)}.checkpoint`)
  const noteOf = (origin: string): string | null =>
    existsSync(pathOf(origin)) ? readFileSync(pathOf(origin), 'utf8') : null
  /** @throws UsageError for a damaged file: starting again from nothing would let a log cosign another past */
  const latestOf = (origin: string) => {
    const text = noteOf(origin)
    if (text === null) return null
    const note = parseNote(text)
    const checkpoint = note && parseCheckpoint(note.text)
    if (checkpoint === null) throw new UsageError(`${pathOf(origin)} is damaged: put a copy of it back`, '')
    return checkpoint
  }
  const logOf = (origin: string) => {
    const key = keys.find((each) => each.name === origin)
    return key && { key, latest: latestOf(origin) }
  }
  for (const { name: origin } of keys) latestOf(origin)
  // One at a time: what one has stored, the next one continues.
  let last: Promise<unknown> = Promise.resolve()
  const addCheckpoint = (body: string): Promise<WitnessAnswer> => {
    const decided = last.then(async () => {
      const answer = await decideAddCheckpoint(body, logOf, cosign)
      if (answer.status === 200) store(pathOf(answer.cosigned.origin), formatNote(answer.cosigned.note))
      return answer
    })
    last = decided.catch(() => undefined)
    return decided
  }
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    if (request.method === 'POST' && request.url === '/add-checkpoint') {
      const body = await bodyOf(request)
      if (body === null) return { status: 400, text: '', type: plain }
      const { status, text } = await addCheckpoint(body)
      return { status, text, type: status === 409 ? 'text/x.tlog.size' : plain }
    }
    const key = keys.find((each) => request.url === `/${originHash(each.name)}/checkpoint`)
    const text = request.method === 'GET' && key ? noteOf(key.name) : null
    return text === null ? { status: 404, text: '', type: plain } : { status: 200, text, type: plain }
  }
  return { answer, verifierKey: formatVerifierKey(name, 'cosignature', publicKey) }
}

/** The 32 bytes of the secret key. @throws UsageError if the file has something else */
function readSeed(path: string): Buffer {
  if (!existsSync(path))
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  const text = readFileSync(path, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new UsageError(`${path} has no secret key: that is 64 hexadecimal characters`, '')
  return Buffer.from(text, 'hex')
}

/** Complete or not at all, and on the disk before the cosignature is sent. */
function store(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  // The new name is on the disk only with the folder. Windows opens no folder.
  if (process.platform === 'win32') return
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
