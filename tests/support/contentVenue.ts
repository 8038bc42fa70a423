import { afterAll } from 'vitest'
import { openMemoryDatabase } from '../../server/db/memory.ts'
import { createAudit } from '../../server/audit/audit.ts'
import { createContent } from '../../server/content/content.ts'
import type { TemplateParts } from '../../server/content/templateContext.ts'
import { mountContent } from '../../server/content/mountContent.ts'
import type { Database } from '../../server/db/open.ts'
import { fundConfig } from '../../server/fund/fundConfig.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { mountMessages } from '../../server/messages/mountMessages.ts'
import { mountService } from '../../server/service/mountService.ts'
import { createService } from '../../server/service/service.ts'
import type { UploadUse } from '../../server/uploads/uploads.ts'
import { createVault } from '../../server/vault.ts'
import { openTestVenue, practiceBalance, zone } from './testVenue.ts'

export const venueFacts = (practice = true, holidays: readonly string[] = []): TemplateParts => ({
  name: 'Uptick',
  currency: 'USD',
  practice,
  practiceBalance,
  fund: { ...fundConfig.parse({}), zone, holidays: new Set(holidays), practice },
})

/** Articles, messages and customer service with their routes, on one test database. */
export async function openContentVenue(database: Database, practice = true) {
  const venue = await openTestVenue(database)
  const { db, clock, random, bus, app } = venue
  const audit = createAudit({ db, clock })
  const messages = createMessages({ db, clock, random, bus })
  const newContent = (of = venueFacts(practice)) =>
    createContent({ db, clock, random, audit, templateParts: of })
  const content = await newContent()
  const failures: string[] = []
  mountContent(app, {
    content,
    reportClientError: (kind, suppressed) =>
      void failures.push(suppressed > 0 ? `${kind} +${suppressed}` : kind),
  })
  mountMessages(app, messages)
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
    vault: createVault(venue.secret, 'service messages', random),
  })
  mountService(app, service)
  return { ...venue, audit, messages, content, newContent, service, pictures, failures }
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
