// `npm run dev`: the client from its sources on Vite's port and the venue behind it, both reloading. One Ctrl-C stops
// both, and if one exits the other is stopped too. PORT is where the app is, as for `npm start`. `-- --replay FILE …` serves a
// recording in place of the venue.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
/** The path of a package's command, to start it without a shell or npx. */
const command = (name, path) => join(dirname(require.resolve(`${name}/package.json`)), path)

const [option, ...replay] = process.argv.slice(2)
if (option !== undefined && (option !== '--replay' || replay.length === 0)) {
  process.stderr.write('npm run dev [-- --replay FILE … with the options of "uptick replay"]\n')
  process.exit(2)
}

/** A port that nobody uses. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return String(port)
}

const { PORT } = process.env
/** The venue's; nobody has to open it. */
const port = PORT === undefined ? '8080' : await freePort()
const clientPort = PORT === undefined ? [] : ['--port', PORT, '--strictPort']
const behind =
  option === '--replay'
    ? ['packages/uptick/src/cli/main.ts', 'replay', '--port', port, ...replay]
    : ['watch', '--clear-screen=false', 'server/main.ts']

const [client, venue] = [
  [command('vite', 'bin/vite.js'), '--clearScreen', 'false', ...clientPort],
  [command('tsx', 'dist/cli.mjs'), ...behind],
].map((args) =>
  spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
)
const children = [client, venue]
client.stdout.pipe(process.stdout)
// Only Vite's address is for a browser: behind its own, the venue has the last build.
createInterface({ input: venue.stdout }).on('line', (line) =>
  process.stdout.write(`${line.replace(/\b(is ready )?at http:\/\/\S+/, 'is ready behind it')}\n`),
)

let code = 0
let running = children.length
const stop = (signal) => {
  for (const child of children) if (child.exitCode === null) child.kill(signal)
}
for (const child of children) {
  child.on('exit', (exitCode) => {
    code ||= exitCode ?? 0
    running -= 1
    if (running === 0) process.exit(code)
    stop('SIGTERM')
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
