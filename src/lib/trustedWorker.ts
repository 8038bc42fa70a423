type TrustedTypes = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => object }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/**
 * The address of a worker of this build, in the form that the page's policy asks for: a browser makes a worker of no plain text.
 * The page has one policy, for all its workers.
 */
export function trustedWorker(path: string): string | object {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  // The server of development sends no policy, and its workers have other addresses.
  if (!trustedTypes || import.meta.env.DEV) return path
  policy ??= trustedTypes.createPolicy('worker', {
    createScriptURL: (url) => {
      if (!/^\/(sw|(office\/)?assets\/solver\.worker-[\w-]+)\.js$/.test(url))
        throw new TypeError(`not allowed as a worker: ${url}`)
      return url
    },
  })
  return policy.createScriptURL(path)
}
