import { defaultMode } from "../mode/mode.ts";
import { formatContents } from "./format-contents.ts";
import type { ContentsJob } from "./job.ts";

/** The first takes most of what there is to win; after these a source of five lines takes what it always will. */
const ROUNDS = 6;

const job: ContentsJob = { pythonCellMagics: [], fast: false, lineRanges: [] };

/** A little of everything, none of it well formatted. */
const SOURCE = `
'''Has a docstring. '''
from __future__ import annotations
import os, sys
from a.b import (c as d, e)
# a comment
@decorated( 'once' )
class A( B, metaclass = M ):

    '''Another one.'''
    x : int=1
    async def f( self, a:int, *args, b = {'k':[1,2,*c], **d}, **kwargs ) -> Dict[str,int] :
        for i, (j) in enumerate(self.things[1 :2]) :  # trailing
            if not (yield_ := await self.call('a', "b" , key = lambda x: x+1)) and i<2 or j is not None:
                return await self.some_rather_long_method_name(first_argument, second_argument).another_call(x**2)[0]
            elif a in b : pass
            else: continue
        with open( 'name' ) as f, open("other") as g :
            print( f"{a!r:>{width}} and {b}" % (c), end = '' ) ; del (a), b
        try :
            raise ValueError('a long message that does not fit on the line with everything else that is here') from e
        except (A, B) as e :
            assert some_condition_that_is_long(first, second), 'a message that makes the line too long for once'
        finally: global z
        while True : result = [ element*2 for element in some_iterable_with_a_name if element.is_wanted and x>=-1 ]
        match command.split() :
            case [ 'go', direction ] if direction : x += 0XFF + 1E5
        return (a if b else c)
def g(): ...
if __name__=='__main__' : g( )
`;

/**
 * Formats something a few times while nobody waits yet, so that a server's first answers do not wait for code to be
 * loaded and compiled. Requests that come meanwhile have their turn after each round.
 */
export async function warmUp(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    formatSample();
  }
}

/** Formats the sample once, safety check included. */
export function formatSample(): void {
  formatContents(SOURCE, defaultMode, job);
}
