#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { exitCodes } from './command.ts'
import { runCommand } from './runCommand.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const note = (line: string): void => void process.stderr.write(`${line}\n`)

function interruptSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader of the output may stop early, as `head` does.
  if (code === 'EPIPE') process.exit()
  note(`uptick: ${message}`)
  process.exit(exitCodes.unusable)
})
// What is done goes on without remarks.
process.stderr.on('error', () => undefined)
// It runs for days and waits nearly all of the time: compiled code, and much room for new objects, would cost more memory than
// they save time.
if (process.argv[2] === 'record')
  setFlagsFromString('--no-opt --no-sparkplug --optimize-for-size --semi-space-growth-factor=1')
process.exitCode = await runCommand(process.argv.slice(2), { print, note, interruptSignal })
