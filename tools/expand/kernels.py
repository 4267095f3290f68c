"""Declares local variables as 64-bit integers in the functions of geometry that are called most.

Integers of Python can be of any size. Where a function computes only with coordinates of the table, no result has more
than 63 bits: a table has at most `caltrop.table.measured.terrain.LARGEST` units along each side, and the largest
product is one of four lengths. mypyc then computes with the processor's own integers, which overflow silently. So no
function may be declared here that is also called with coordinates of a finer grid, such as those at which a leg is cut.
"""

from __future__ import annotations

import ast

KERNELS = {
    "caltrop.geometry.lines": {
        "lines_through_disc": "cx cy r limit ax ay bx by dx dy px py along square across",
        "lines_through_polygon": (
            "px py qx qy sx sy tx ty ux uy vx vy wx wy zx zy cx cy ex ey c1 c2 c3 c4 e1 e2 e3 e4 "
            "fx fy near near2 far far2"
        ),
    },
    "caltrop.table.measured.corridor": {
        "shuts": "ax ay nx ny lx ly hx hy x y r u v s dx dy norm length side sign wide",
        "Corridor.__init__": "left low right high nx ny norm least most across reach x y r x0 y0 x1 y1 top bottom",
        "Corridor.between": "ax ay ar bx by br wide dx dy length x y r reach along",
    },
    "caltrop.table.measured.paths": {
        "WaySearch.is_covered": "x y r left low right high u v s",
        "WaySearch.free": "ax ay bx by r left right low high x0 y0 x1 y1 u0 v0 u1 v1 x y s",
    },
}
"""Names of the variables to declare, by module and function."""


def declared(module: str, tree: ast.Module) -> bool:
    """Declare the variables of a module's kernels. Return whether it has any.

    Raises ValueError if a function or a variable does not exist.
    """
    wanted = KERNELS.get(module, {})
    functions: dict[str, ast.FunctionDef] = {}
    for s in tree.body:
        if isinstance(s, ast.FunctionDef):
            functions[s.name] = s
        elif isinstance(s, ast.ClassDef):
            functions.update({f"{s.name}.{one.name}": one for one in s.body if isinstance(one, ast.FunctionDef)})
    for name, listed in wanted.items():
        if name not in functions:
            raise ValueError(f"{module} has no function {name}, which tools/expand/kernels.py names")
        function = functions[name]
        assigned = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        missing = sorted(set(listed.split()) - assigned)
        if missing:
            raise ValueError(f"{name} of {module} assigns no {', '.join(missing)}, which tools/expand/kernels.py names")
        at = 1 if ast.get_docstring(function) is not None else 0
        function.body[at:at] = ast.parse("\n".join(f"{one}: _i64" for one in listed.split())).body
    return bool(wanted)
