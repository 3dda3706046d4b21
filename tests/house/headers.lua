-- headers.lua FILE...: names the calls of the C library whose header neither a file nor a header of ours that it includes includes. Some systems'
-- headers bring others along (FLINT 2 brings <stdlib.h>), and then it compiles only there.
local NEEDS = {
    ["stdlib.h"] = "abs labs llabs malloc calloc realloc free strtol strtoll strtoul strtoull strtod qsort bsearch getenv setenv exit abort atexit",
    ["math.h"] = "fabs floor ceil sqrt cbrt pow exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh asin acos atan atan2 hypot fmin fmax " ..
        "fmod fma ldexp frexp trunc round rint nearbyint lround llround isfinite isnan isinf signbit nextafter fabsf floorf sqrtf fmaxf fminf",
    ["string.h"] = "memcpy memmove memset memcmp memchr strlen strcmp strncmp strchr strrchr strstr strspn strcspn strpbrk strdup strerror strcasecmp",
    ["stdio.h"] = "printf fprintf snprintf vsnprintf sscanf fopen fdopen fclose fread fwrite fputs fputc fflush fgets perror puts putchar rename remove",
    ["ctype.h"] = "isalpha isdigit isalnum isspace isupper islower ispunct isprint isxdigit iscntrl tolower toupper",
    ["stdarg.h"] = "va_start va_end va_copy va_arg",
}
local header_of = {}
for header, names in pairs(NEEDS) do
    for name in names:gmatch "%S+" do header_of[name] = header end
end

local ROOTS = {"src", "tests"} -- where names in quotes begin; or beside the file

local function contents(path)
    local f = io.open(path, "rb")
    if not f then return nil end
    local text = f:read "a"
    f:close()
    return text
end

-- Code without comments and without what stands in quotes; a call of a name with a prefix (x.free, ph_free) is none.
local function bare(code)
    code = code:gsub('\\.', ""):gsub('"[^"\n]*"', '""'):gsub("'[^'\n]*'", "0"):gsub("/%*.-%*/", " "):gsub("//[^\n]*", "")
    return code
end

-- What a file includes of the system, itself and through ours.
local known = {}
local function includes(path)
    if known[path] then return known[path] end
    local out = {}
    known[path] = out
    for kind, name in (contents(path) or ""):gmatch '#%s*include%s*([<"])([^>"]+)[>"]' do
        if kind == "<" then out[name] = true
        else
            for _, root in ipairs{path:match "^(.*)/", ROOTS[1], ROOTS[2]} do
                for inner in pairs(includes(root .. "/" .. name)) do out[inner] = true end
            end
        end
    end
    return out
end

for _, path in ipairs(arg) do
    local has, told = includes(path), {}
    for before, name in bare(contents(path)):gmatch "([%w_.>]?)%f[%w_]([%a_][%w_]*)%s*%(" do
        local header = header_of[name]
        if header and not before:find "[.>]" and not has[header] and not told[name] then
            told[name] = true
            print(("%s: %s wants <%s>"):format(path, name, header))
        end
    end
end
