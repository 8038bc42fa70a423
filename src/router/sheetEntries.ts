/**
 * Entries of the browser's history for open sheets, so that Back closes the top one instead of leaving the page. An entry
 * says how many sheets are open in it; its address is the page's. When a sheet closes in another way its entry goes too,
 * and an entry that has none, reached by Forward or after a reload, is left at once.
 */

/** Closes a sheet; false if it cannot be closed now. */
type Close = () => boolean
type OpenSheet = { close: Close; isClosing: boolean }

const sheets: OpenSheet[] = []
/** Runs once the history is back at the page's own entry, which is set while it is on the way there. */
let onArrival: (() => void) | undefined
let isScheduled = false
let isListening = false
/** Of the page whose sheets have entries. */
let address = ''

const sheetsIn = (state: unknown): number => {
  const count = (state as { sheets?: unknown } | null)?.sheets
  return typeof count === 'number' ? count : 0
}
const openSheets = (): OpenSheet[] => sheets.filter(({ isClosing }) => !isClosing)

/** Adds an entry for a sheet until the returned function is called. */
export function addSheetEntry(close: Close): () => void {
  startSheetEntries()
  const sheet = { close, isClosing: false }
  sheets.push(sheet)
  schedule()
  return () => {
    sheets.splice(sheets.indexOf(sheet), 1)
    schedule()
  }
}

/** Runs at the page's own entry, to change the address there: at once, or when the entries of its sheets are left. */
export function atPageEntry(run: () => void): void {
  const depth = sheetsIn(history.state)
  if (onArrival !== undefined) {
    const earlier = onArrival
    onArrival = () => {
      earlier()
      run()
    }
  } else if (depth > 0) goBackBy(depth, run)
  else run()
}

/** Follows Back and Forward. */
export function startSheetEntries(): void {
  if (isListening) return
  isListening = true
  addEventListener('popstate', onPopState)
  schedule()
}

/** Sheets that close and open together, such as one after another, share an entry: so what is needed is compared later. */
function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  queueMicrotask(() => {
    isScheduled = false
    if (onArrival === undefined) matchEntries()
  })
}

function matchEntries(): void {
  const wanted = openSheets().length
  const depth = sheetsIn(history.state)
  address = location.href
  for (let count = depth + 1; count <= wanted; count++)
    history.pushState({ ...(history.state as object | null), sheets: count }, '')
  if (wanted < depth) goBackBy(depth - wanted, () => undefined)
}

function goBackBy(steps: number, run: () => void): void {
  onArrival = run
  history.go(-steps)
}

function onPopState(): void {
  const arrived = onArrival
  onArrival = undefined
  if (arrived) arrived()
  // Another address is another page, whose sheets go with it.
  else if (location.href === address) {
    for (const sheet of openSheets().slice(sheetsIn(history.state)).reverse()) sheet.isClosing = sheet.close()
  }
  // The entry of a sheet that stays open is added again.
  schedule()
}
