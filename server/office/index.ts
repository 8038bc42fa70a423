/**
 * The office: how the operator's staff works. Who they are, what one person may do and what takes two, the queues,
 * the calls below `/desk`, the texts and the look of the venue, and the command line. It owns the tables of staff,
 * proposals, claims and articles. No call can change a tick, a result, one member's rate or a balance.
 *
 * Read `calls/office.ts` (all calls behind one guard), `fourEyes/fourEyes.ts`, `staff/staff.ts`,
 * `content/content.ts`; `cli/main.ts` is the command line.
 */
export { brandedFiles, checkLogo } from './branding/brandedFiles.ts'
export { createOffice } from './calls/office.ts'
export { createContent } from './content/content.ts'
export { readPages } from './content/seeds.ts'
export { templateContexts, templatePartsOf } from './content/templateContext.ts'
export { lookers } from './staff/lookers.ts'
