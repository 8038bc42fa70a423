import { deskKey } from '../../e2e/officeCalls.ts'
import { startVenue } from '../../support/venueProcess.ts'
import { scratchFolder } from '../../support/wholeVenue.ts'
import { canaries, submitCanaries } from '../safety/canaries.ts'

export type LooksReport = { tried: number; silent: string[] }

/** What is encrypted in the database, and opened for the office. */
const sealed = (
  [
    'phone',
    'name',
    'idNumber',
    'accountName',
    'bank',
    'cardNumber',
    'accountAddress',
    'contactEmail',
    'memberMessage',
  ] as const
).map((field) => canaries[field])

const member = 'confider_1'
const looks = [
  '/members?limit=100',
  `/members/${member}`,
  '/withdrawals',
  '/deposits',
  '/service',
  `/service/${member}`,
  '/verifications',
  `/verifications/${member}`,
  '/password-requests',
  '/queues',
]

/** Opens what the office can see of a member: what tells sealed data must leave a row of the act log. */
export async function lookFromOffice(main: string, log: (line: string) => void): Promise<LooksReport> {
  const folder = await scratchFolder()
  const report: LooksReport = { tried: 0, silent: [] }
  const venue = startVenue([main], {
    DATA_DIR: folder.path,
    PRODUCTS_FILE: 'tests/e2e/products.json',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DESK_KEY: deskKey,
  })
  try {
    const url = await venue.ready
    await submitCanaries(url)
    const desk = async (path: string): Promise<string> => {
      const answer = await fetch(`${url}/desk${path}`, {
        headers: { authorization: `Bearer ${deskKey}` },
      })
      return answer.text()
    }
    const newestRow = async (): Promise<number> =>
      (JSON.parse(await desk('/audit?limit=1')) as { items: { id: number }[] }).items[0]?.id ?? 0
    // The first look at the log is a row itself.
    await newestRow()
    const { items } = JSON.parse(await desk('/withdrawals')) as { items: { id: string }[] }
    for (const path of [...looks, ...items.map(({ id }) => `/withdrawals/${id}`)]) {
      report.tried += 1
      const before = await newestRow()
      const text = await desk(path)
      const told = sealed.filter((value) => text.includes(value))
      log(`${path} tells ${told.length} sealed values`)
      if (told.length > 0 && (await newestRow()) === before)
        report.silent.push(`${path} tells ${told.join(', ')}`)
    }
  } finally {
    await venue.end('SIGTERM')
    await folder.remove()
  }
  for (const line of report.silent) log(line)
  return report
}
