import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { SettingsError } from '../../../../server/platform/settingsError.ts'
import type { DatabaseTrouble } from '../../../../server/platform/db/trouble.ts'
import { waitForStart } from '../../../../server/platform/db/waitForStart.ts'

const answered = (code: string): Error =>
  new SettingsError('DATABASE_URL does not answer', {
    cause: Object.assign(new DatabaseError('no', 0, 'error'), { code }),
  })

async function tryToOpen(failures: readonly Error[]) {
  const waiting: DatabaseTrouble[] = []
  const left = [...failures]
  const open = async (): Promise<string> => {
    const failure = left.shift()
    if (failure) throw failure
    return 'open'
  }
  const outcome = await waitForStart(open, (trouble) => waiting.push(trouble)).catch(
    (error: unknown) => error,
  )
  return { outcome, waiting, left }
}

it('waits for a server that is starting, and says so once', async () => {
  const { outcome, waiting } = await tryToOpen([answered('57P03'), answered('57P01'), answered('57P03')])
  expect(outcome).toBe('open')
  expect(waiting).toMatchObject([{ code: '57P03' }])
})

it.each(['28P01', '3D000', '53300'])('does not wait if it cannot help: %s', async (code) => {
  const failure = answered(code)
  const { outcome, waiting } = await tryToOpen([failure, failure])
  expect(outcome).toBe(failure)
  expect(waiting).toEqual([])
})
