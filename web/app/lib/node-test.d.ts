// What the tests use of Node, so that its types need not be installed.

declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): Promise<void>;
  export const mock: {
    timers: {
      enable(options: { apis: ("setTimeout" | "Date")[]; now?: number }): void;
      tick(milliseconds: number): void;
      reset(): void;
    };
  };
}

declare module "node:assert/strict" {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
  }
  const assert: Assert;
  export default assert;
}
