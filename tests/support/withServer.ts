import type { RequestListener } from 'node:http'
import { closeAfter } from './closeAfter.ts'
import { serve } from './serve.ts'

/** An HTTP server on a free port, until the test ends. `url` is its address. */
export async function withServer(respond: RequestListener) {
  const served = await serve(respond)
  closeAfter(served.close)
  return served
}
