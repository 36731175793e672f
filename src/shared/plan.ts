/** True if the plan says that it lacks a feature. A host that does not name a feature may have it. */
export function planLacks(
  { plan }: { plan?: { features: Record<string, unknown> } | undefined },
  feature: string,
): boolean {
  const value = plan?.features[feature]
  return value === false || value === 0 || value === null
}
