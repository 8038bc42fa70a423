const path = '/socket.io/?EIO=4&transport=polling'

/** Opens a polling session by hand, request by request. */
export async function openPolling(url: string, headers: Record<string, string> = {}) {
  const opened = await fetch(`${url}${path}`, { headers })
  const text = await opened.text()
  if (!opened.ok) throw new Error(`${opened.status} ${text}`)
  const { sid, upgrades } = JSON.parse(text.slice(1)) as { sid: string; upgrades: string[] }
  const address = `${url}${path}&sid=${sid}`
  /** Waits for the next packets. */
  const poll = async (own = headers): Promise<{ status: number; packets: string[]; response: Response }> => {
    const response = await fetch(address, { headers: own })
    return { status: response.status, packets: (await response.text()).split('\x1e'), response }
  }
  const post = async (packets: readonly string[], own = headers): Promise<number> =>
    (await fetch(address, { method: 'POST', headers: own, body: packets.join('\x1e') })).status
  return { opened, upgrades, address, poll, post }
}
