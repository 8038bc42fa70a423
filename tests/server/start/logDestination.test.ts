import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { logDestination } from '../../../server/start/logDestination.ts'
import { SettingsError } from '../../../server/platform/settingsError.ts'
import { scratchFolder } from '../../support/wholeVenue.ts'

const folder = await scratchFolder()
afterAll(() => folder.remove())

it('the log goes to a file only if stdout and stderr are a terminal, and a start puts a long one aside', async () => {
  const dataDir = join(folder.path, 'data')
  const on = { isTTY: true }
  expect(logDestination(dataDir, { stdout: {}, stderr: on }).file).toBeNull()
  expect(logDestination(dataDir, { stdout: on, stderr: {} }).file).toBeNull()
  const file = join(dataDir, 'venue.log')
  const write = (line: string): void => {
    const destination = logDestination(dataDir, { stdout: on, stderr: on })
    expect(destination.file).toBe(file)
    destination.stream.write(line)
  }
  write('first\n')
  write('second\n')
  expect(await readFile(file, 'utf8')).toBe('first\nsecond\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await truncate(file, 17 * 1024 * 1024)
  write('third\n')
  expect(await readFile(file, 'utf8')).toBe('third\n')
  expect((await stat(`${file}.1`)).size).toBe(17 * 1024 * 1024)
})

it('a data folder that cannot be written is an error of the settings', async () => {
  const inTheWay = join(folder.path, 'file')
  await writeFile(inTheWay, '')
  const on = { isTTY: true }
  expect(() => logDestination(inTheWay, { stdout: on, stderr: on })).toThrow(SettingsError)
})
