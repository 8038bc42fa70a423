import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { SkeletonBody, SkeletonTitle } from './ProductFrame.tsx'

/** The page in its final sizes, until the product is loaded. */
export const ProductSkeleton = () => (
  <Page ground="market" title={<SkeletonTitle />} backTo={paths.products} width="full" live>
    <SkeletonBody />
  </Page>
)
