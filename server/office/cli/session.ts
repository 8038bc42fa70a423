import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { UsageError } from './usageError.ts'

/** What only the command line reads. */
export const deskVariables = ['DESK_TOKEN'] as const

export type Environment = Readonly<Record<string, string | undefined>>

const storedSession = z.object({ token: z.string(), name: z.string() })
export type StoredSession = z.infer<typeof storedSession>
/** By the venue's address: a token is sent to no other one. */
const storedSessions = z.record(z.string(), storedSession)

export function sessionFile({ XDG_CONFIG_HOME, HOME }: Environment): string {
  const config =
    XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === ''
      ? join(HOME ?? homedir(), '.config')
      : XDG_CONFIG_HOME
  return join(config, 'uptick/desk.json')
}

/**
 * The token of the member of staff who acts: DESK_TOKEN, or that of the stored login. DESK_KEY goes before a stored
 * one. An expired stored token is sent too, so that a change of identity does not go unnoticed.
 */
export function tokenOf(env: Environment, address: string): string | undefined {
  const { DESK_TOKEN, DESK_KEY } = env
  if (DESK_TOKEN !== undefined && DESK_TOKEN !== '') return DESK_TOKEN
  if (DESK_KEY !== undefined && DESK_KEY !== '') return undefined
  return readSessions(env)[address]?.token
}

/** The file belongs to its user alone. @throws UsageError if others can read it */
export function readSessions(env: Environment): Record<string, StoredSession> {
  const file = sessionFile(env)
  let text: string
  try {
    if ((statSync(file).mode & 0o077) !== 0)
      throw new UsageError(`others can read ${file}: log out, or change its mode to 600`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    return {}
  }
  try {
    return storedSessions.parse(JSON.parse(text))
  } catch {
    throw new UsageError(`${file} cannot be read: remove it and log in again`)
  }
}

/** Stores the login at an address, or deletes it. */
export function writeSession(env: Environment, address: string, session: StoredSession | null): void {
  const file = sessionFile(env)
  const { [address]: _before, ...others } = readSessions(env)
  const sessions = session === null ? others : { ...others, [address]: session }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const part = `${file}.part`
    writeFileSync(part, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600 })
    // An older file of that name may have had another mode.
    chmodSync(part, 0o600)
    renameSync(part, file)
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${error instanceof Error ? error.message : ''})`)
  }
}
