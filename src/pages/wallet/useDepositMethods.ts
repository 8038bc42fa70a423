import { depositRoutes } from '../../../contract/deposits.ts'
import type { DepositMethod } from '../../../contract/deposits.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'

const methodsSource: ResourceSource<DepositMethod[]> = {
  fetch: (call, signal) => call(depositRoutes.depositMethods, {}, { signal }),
}

/** How money can be deposited. */
export const useDepositMethods = () => useResource(methodsSource)
