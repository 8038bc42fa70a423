import type { Ask } from './venueClient.ts'

/** As `venueClient` asks, in a browser too. */
export const askByFetch: Ask = async (address, request) => {
  const answer = await fetch(address, { ...request, credentials: 'same-origin' })
  const body: unknown = await answer.json().catch(ifNoJson)
  return { status: answer.status, body, serverTime: answer.headers.get('Server-Time') }
}

/** A line that breaks, or a time-out, is no answer; any other text is one. */
function ifNoJson(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}
