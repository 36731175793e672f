/** True if the plan says that it lacks a feature. A feature that the host does not name may be available. */
export function planLacks(
  { plan }: { plan?: { features: Record<string, unknown> } | undefined },
  feature: string,
): boolean {
  const value = plan?.features[feature]
  return value === false || value === 0 || value === null
}
