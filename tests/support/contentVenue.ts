import { afterAll } from 'vitest'
import { openMemoryDatabase } from '../../server/db/memory.ts'
import { createAudit } from '../../server/audit/audit.ts'
import { createContent } from '../../server/content/content.ts'
import { templatePartsOf } from '../../server/content/templateContext.ts'
import type { TemplateParts } from '../../server/content/templateContext.ts'
import type { Database } from '../../server/db/open.ts'
import { fundConfig } from '../../server/fund/fundConfig.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { createService } from '../../server/service/service.ts'
import type { UploadUse } from '../../server/uploads/uploads.ts'
import { composeModules } from '../../server/module.ts'
import { testFence } from './testFence.ts'
import { openSmallVenue, practiceBalance, zone } from './smallVenue.ts'

const contentSettings = (practice = true, holidays: readonly string[] = [], name = 'Uptick') => ({
  mode: practice ? ('practice' as const) : ('live' as const),
  currency: 'USD',
  zone,
  practiceBalance,
  operatorConfig: { name, fund: fundConfig.parse({}), holidays: [...holidays] },
})

export const venueFacts = (practice = true, holidays: readonly string[] = []): TemplateParts =>
  templatePartsOf(contentSettings(practice, holidays))

/** Articles, messages and customer service with their routes, on one test database. */
export async function openContentVenue(database: Database, practice = true) {
  const venue = await openSmallVenue(database)
  const { db, clock, random, bus, app } = venue
  const audit = createAudit({ db, clock })
  const messages = createMessages({ db, fence: testFence, clock, random, bus })
  const newContent = (name = 'Uptick') =>
    createContent({ db, clock, random, audit, settings: contentSettings(practice, [], name) })
  const content = await newContent()
  const warnings: string[] = []
  app.log.warn = (line: unknown) => void warnings.push(String(line))
  /** Uploaded pictures that are not used yet, by id, with their member. Using one removes it. */
  const pictures = new Map<string, string>()
  const uploads = {
    use: async (_tx: unknown, { id, memberId, purpose }: UploadUse) =>
      purpose === 'service' && pictures.get(id) === memberId && pictures.delete(id),
  }
  const service = createService({
    db,
    clock,
    random,
    bus,
    messages,
    uploads,
    audit,
    secrets: { uploadKey: venue.secret },
  })
  composeModules([content, messages, service]).mount(app)
  return { ...venue, audit, messages, content, newContent, service, pictures, warnings }
}

/** A content venue on its own database for the tests of one file; it closes after the last of them. */
export async function openContentVenueForFile() {
  const database = await openMemoryDatabase()
  const venue = await openContentVenue(database)
  afterAll(async () => {
    await venue.close()
    await database.close()
  })
  return { database, venue }
}
